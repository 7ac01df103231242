import styles from './AuthDialogs.module.css'

/** What who logs in or signs up accepts. The pages open beside the form, which keeps what was typed. */
export function Terms() {
  return (
    <p className={styles.terms}>
      By logging in or signing up you accept our{' '}
      <a href="/privacy/" target="_blank" rel="noopener">
        privacy policy
      </a>{' '}
      and{' '}
      <a href="/termsofservice/" target="_blank" rel="noopener">
        terms of service
      </a>
      .
    </p>
  )
}
