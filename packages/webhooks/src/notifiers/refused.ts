import { SallyportError } from '@sallyport/errors'
import { isFinal, networkCode, retryAfterOf } from '../http/answers.ts'

/** A gateway that answered, and did not take the message. Nothing of its answer is kept but the status. */
class Refused extends SallyportError {
  readonly retryable: boolean
  readonly retryAfterMs?: number

  constructor(status: number, retryAfterMs: number | undefined) {
    super(`HTTP_${status}`, `The gateway of the operators answered ${status}: see its own log`, {
      status: 502,
    })
    this.retryable = !isFinal(status)
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
  }
}

/** The refusal in a response that is no success; `Retry-After` may be seconds or a date. */
export function refused({ status, headers }: Response, now: number): SallyportError {
  return new Refused(status, retryAfterOf(headers, now))
}

/** Why a gateway could not be asked. */
export function unreachable(error: unknown): SallyportError {
  const code = networkCode(error) ?? 'UNREACHABLE'
  return new SallyportError(code, 'The gateway of the operators cannot be reached', { status: 502 })
}
