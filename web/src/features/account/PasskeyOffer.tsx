import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { Failure } from '#/ui/form/Failure'
import styles from './forms.module.css'
import { useAddPasskey } from './mutations'

interface Props {
  /** Continues to the page that the reader requested. */
  onDone: () => void
}

/** Offers a passkey to a reader who has just signed up with a password. */
export function PasskeyOffer({ onDone }: Props) {
  const add = useAddPasskey()
  const make = (): void =>
    add.mutate(undefined, {
      onSuccess: () => {
        announce('Your passkey is made.')
        onDone()
      },
    })
  return (
    <>
      <p className={styles.text}>
        Your account is ready. With a passkey, you log in with your fingerprint, face or device code
        next time. Your password works as well.
      </p>
      <Failure error={add.error} />
      <div className={styles.actions}>
        <Button isBusy={add.isPending || add.isSuccess} onClick={make}>
          Make a passkey
        </Button>
        <Button look="outline" onClick={onDone}>
          Not now
        </Button>
      </div>
    </>
  )
}
