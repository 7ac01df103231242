-- Mail is a job now. Processes of the previous release still write mails during a roll-out, so each becomes
-- a job as it is written; the next release drops the table.

CREATE FUNCTION job_of_mail(mail mails) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
    INSERT INTO jobs (id, kind, payload, traceparent, created_at, wanted_at, due_at, attempts, last_error, dead_at)
    VALUES (
        mail.id,
        'mail',
        jsonb_build_object(
            'about', mail.kind,
            'to', mail.recipient,
            'reply_to', CASE WHEN mail.reply_address IS NOT NULL
                THEN jsonb_build_object('name', mail.reply_name, 'email', mail.reply_address) END,
            'subject', mail.subject,
            'text', mail.body
        ),
        mail.traceparent, mail.created_at, mail.created_at, mail.next_attempt_at, mail.attempts,
        mail.refusal, mail.refused_at
    );
$$;

CREATE FUNCTION take_mail_over() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM job_of_mail(NEW);
    RETURN NULL;
END
$$;
CREATE TRIGGER mails_become_jobs BEFORE INSERT ON mails FOR EACH ROW EXECUTE FUNCTION take_mail_over();

-- A mail may be in the hands of a relay of the previous release: it stays, where no relay takes it again, and
-- once that relay has sent it and deletes it, its job goes too.
CREATE FUNCTION forget_job_of_mail() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM jobs WHERE id = OLD.id;
    RETURN NULL;
END
$$;
LOCK TABLE mails IN SHARE ROW EXCLUSIVE MODE;
SELECT job_of_mail(mails) FROM mails;
DELETE FROM mails WHERE refused_at IS NOT NULL OR attempts = 0;
UPDATE mails SET next_attempt_at = 'infinity';
CREATE TRIGGER sent_mails_are_done AFTER DELETE ON mails FOR EACH ROW EXECUTE FUNCTION forget_job_of_mail();
