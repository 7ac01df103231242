/** Whether the reader lets pages send requests to networks. */
export type ThirdPartiesAllowed = () => boolean

/** Global Privacy Control is a refusal (https://www.w3.org/TR/gpc/). */
export const thirdPartiesAllowed: ThirdPartiesAllowed = () =>
  (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl !== true
