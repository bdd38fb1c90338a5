import type { SuiteInput } from './suite/process.ts'

/** Where the suite runs. */
export interface Runtime {
  readonly name: string
  /** What has to be there; undefined when it comes with the dependencies of the repository. */
  readonly program?: string
  /** Resolves to what the suite has written. */
  readonly run: (input: SuiteInput) => Promise<string>
}
