"""Lets Schemathesis ask as a reader who has signed up and is of age."""

import os
import uuid

import requests
import schemathesis

PASSWORD = "correct horse battery"


# A sign-out would end the reader's session.
@schemathesis.auth().skip_for(path="/api/v2/profiles/logout/v1/validate/")
class Reader:
    def get(self, case, context):
        answer = requests.post(
            os.environ["BASE_URL"] + "/api/v2/profiles/email-registration/",
            json={
                "full_name": "Ada King",
                "email": f"{uuid.uuid4()}@example.com",
                "password": PASSWORD,
                "password_repeat": PASSWORD,
            },
            timeout=10,
        )
        answer.raise_for_status()
        return answer.cookies["session"]

    def set(self, case, data, context):
        case.cookies = {**(case.cookies or {}), "session": data, "is_user_over_18": "true"}
