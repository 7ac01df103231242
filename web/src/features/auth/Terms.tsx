import styles from './AuthDialogs.module.css'

/** The terms of logging in and signing up. The links open new tabs, so that the form keeps its input. */
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
