declare module '@marbec/web-auto-extractor' {
  interface Options {
    addLocation?: boolean
    embedSource?: readonly string[]
  }

  export interface Extracted {
    /** The objects of each root type. */
    jsonld: Record<string, Record<string, unknown>[]>
    errors?: unknown[]
  }

  export default class WebAutoExtractor {
    constructor(options?: Options)
    parse(html: string): Extracted
  }
}

declare module '@adobe/structured-data-validator' {
  import type { Extracted } from '@marbec/web-auto-extractor'

  export interface Issue {
    rootType: string
    issueMessage: string
    severity: 'ERROR' | 'WARNING'
    path?: unknown
  }

  export default class Validator {
    validate(extracted: Extracted): Promise<Issue[]>
  }
}
