import { LoginForm } from '#/features/auth/LoginForm'
import { ResetForm } from '#/features/auth/ResetForm'
import { SignUpForm } from '#/features/auth/SignUpForm'
import { AccessList } from '#/features/account/AccessList'
import { ChangeButton } from '#/features/account/ChangeButton'
import {
  Confirmed,
  ConfirmEmail,
  Refused,
  Taken,
  WhoseAccount,
} from '#/features/account/ConfirmEmail'
import { EmailForm } from '#/features/account/EmailForm'
import { EmailState } from '#/features/account/EmailState'
import { ConfirmButton } from '#/features/account/ConfirmButton'
import { EraseForm } from '#/features/account/EraseForm'
import { ExportButton, ExportFailed } from '#/features/account/ExportButton'
import { FacebookControls } from '#/features/account/FacebookControls'
import { FeedAddress } from '#/features/account/FeedAddress'
import { FeedControls } from '#/features/account/FeedControls'
import { NameForm } from '#/features/account/NameForm'
import { Outcome } from '#/features/account/Outcome'
import { OwnPicture } from '#/features/account/OwnPicture'
import { PasskeyList } from '#/features/account/PasskeyList'
import { PasskeyOffer } from '#/features/account/PasskeyOffer'
import { PasswordForm } from '#/features/account/PasswordForm'
import { Profile } from '#/features/account/Profile'
import { ProfileSection } from '#/features/account/ProfileSection'
import { Receipt } from '#/features/account/Receipt'
import { Changed, Expired, ResetPassword } from '#/features/account/ResetPassword'
import { SessionList } from '#/features/account/SessionList'
import { YourData } from '#/features/account/YourData'
import {
  ALL_ACCESS,
  AT,
  FEED,
  NO_FEED,
  PASSKEYS,
  PASSWORD_ACCESS,
  PHONE,
  RECEIPT,
  ROBIN,
  sessionsPage,
  THIS_DEVICE,
} from '../test/reader'
import { FAILED, PENDING, type States } from './states'

const LONG = 'robin.ames.of.the.streetcar.loop.at.the.end.of.the.line@a-long-domain.example.com'
const TOKEN = 'a-token'

const dialogs = { open: null, intent: undefined, next: undefined }
const nothing = (): void => {}

/** The states of the forms that log in, and of each component of src/features/account. */
export const ACCOUNT: States = {
  AccessList: {
    ready: <AccessList access={ALL_ACCESS} />,
    'password only': <AccessList access={PASSWORD_ACCESS} />,
  },
  ConfirmButton: {
    ready: (
      <ConfirmButton
        name="Remove it"
        text="It is gone then."
        isBusy={false}
        error={null}
        onYes={nothing}
      />
    ),
  },
  ChangeButton: {
    ready: <ChangeButton what="name">{() => <NameForm name="" onDone={nothing} />}</ChangeButton>,
  },
  ConfirmEmail: {
    ready: <ConfirmEmail token={TOKEN} />,
    'without a token': <ConfirmEmail token="" />,
    success: <Confirmed email={ROBIN.email} />,
    'in another browser': (
      <WhoseAccount
        email={LONG}
        access={ALL_ACCESS}
        chosen={null}
        error={null}
        onChoose={nothing}
      />
    ),
    'link refused': <Refused />,
    'address taken': <Taken />,
  },
  EmailForm: { ready: <EmailForm onDone={nothing} /> },
  EmailState: {
    confirmed: <EmailState me={ROBIN} />,
    'not confirmed': <EmailState me={{ ...ROBIN, email_verified: false }} />,
    pending: <EmailState me={{ ...ROBIN, pending_email: LONG }} />,
  },
  EraseForm: {
    ready: <EraseForm hasPassword hasPasskey={false} hasFacebook={false} />,
    'without a password or passkeys': (
      <EraseForm hasPassword={false} hasPasskey={false} hasFacebook={false} />
    ),
  },
  ExportButton: {
    ready: <ExportButton />,
    error: <ExportFailed isTooOften={false} />,
    'too often': <ExportFailed isTooOften />,
  },
  FacebookControls: {
    'not connected': (
      <FacebookControls connection={{ is_connected: false, date_connected: null }} />
    ),
    connected: <FacebookControls connection={{ is_connected: true, date_connected: AT }} />,
  },
  FeedAddress: { ready: <FeedAddress url={FEED.url ?? ''} /> },
  FeedControls: {
    off: <FeedControls feed={NO_FEED} />,
    on: <FeedControls feed={FEED} />,
    'address lost': <FeedControls feed={{ ...FEED, url: null }} />,
  },
  LoginForm: { ready: <LoginForm dialogs={dialogs} /> },
  NameForm: { ready: <NameForm name={ROBIN.full_name} onDone={nothing} /> },
  Outcome: {
    ready: (
      <Outcome title="It is done">
        <p>There is nothing else to do.</p>
      </Outcome>
    ),
  },
  OwnPicture: {
    none: <OwnPicture full_name={ROBIN.full_name} avatar_url={null} />,
    ready: (
      <OwnPicture full_name={ROBIN.full_name} avatar_url="/media/demo/restaurants/1-600x400.jpg" />
    ),
  },
  PasskeyList: { empty: <PasskeyList passkeys={[]} />, ready: <PasskeyList passkeys={PASSKEYS} /> },
  PasskeyOffer: { ready: <PasskeyOffer onDone={nothing} /> },
  PasswordForm: { ready: <PasswordForm onDone={nothing} /> },
  Profile: {
    ready: <Profile me={ROBIN} />,
    'without a password': <Profile me={{ ...ROBIN, has_password: false }} />,
    'pending and long': <Profile me={{ ...ROBIN, email: LONG, pending_email: LONG }} />,
  },
  ProfileSection: {
    loading: (
      <ProfileSection title="Devices" what="devices" query={PENDING} height="4.5rem">
        {() => null}
      </ProfileSection>
    ),
    error: (
      <ProfileSection title="Devices" what="devices" query={FAILED} height="4.5rem">
        {() => null}
      </ProfileSection>
    ),
  },
  Receipt: { ready: <Receipt receipt={RECEIPT} /> },
  ResetForm: { ready: <ResetForm /> },
  ResetPassword: {
    ready: <ResetPassword token={TOKEN} />,
    'without a token': <ResetPassword token="" />,
    success: <Changed email={ROBIN.email} access={PASSWORD_ACCESS} />,
    'with other access': <Changed email={ROBIN.email} access={ALL_ACCESS} />,
    'link refused': <Expired />,
    'undoes a change': <ResetPassword token={TOKEN} isUndo />,
    'has undone a change': <Changed email={ROBIN.email} access={PASSWORD_ACCESS} isUndo />,
  },
  SessionList: {
    empty: <SessionList page={sessionsPage()} />,
    'this device alone': <SessionList page={sessionsPage(THIS_DEVICE)} />,
    ready: <SessionList page={sessionsPage(THIS_DEVICE, PHONE)} />,
  },
  SignUpForm: { ready: <SignUpForm dialogs={dialogs} /> },
  YourData: { ready: <YourData me={ROBIN} /> },
}
