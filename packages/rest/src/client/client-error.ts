import type { ClientFailure } from './types.ts'

/** A page of a list, or a stream, that failed. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly failure: ClientFailure

  constructor(failure: ClientFailure) {
    super(`${failure.code}: ${failure.message}`)
    this.failure = failure
  }
}
