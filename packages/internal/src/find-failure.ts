import { withDeadline } from './deadline.ts'
import { toCode } from './last-outcome.ts'

const pingTimeoutMs = 2000

/** Returns why a ping fails, or does not answer within two seconds; undefined if it succeeds. */
export async function findFailure(ping: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await withDeadline(pingTimeoutMs, ping(), (cause) =>
      Object.assign(new Error('The dependency does not answer', { cause }), { code: 'TIMEOUT' }),
    )
    return undefined
  } catch (error) {
    return toCode(error)
  }
}
