import type { Answer } from './answer.ts'
import { CommandError, failure, printable, readAtMost, type Io } from './io.ts'

/** How long a command waits for an answer, and how much of it is read. */
interface Patience {
  readonly timeoutMs: number
  /** In bytes. */
  readonly maximumAnswer: number
}

/**
 * Posts a delivery as a service would: no redirect is followed, and after 10 seconds it is given up.
 *
 * @throws CommandError when no answer comes
 */
export function post(
  endpoint: URL,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  io: Io,
): Promise<Answer> {
  const patience = { timeoutMs: 10_000, maximumAnswer: 1024 * 1024 }
  return exchange(endpoint, { method: 'POST', headers, body: Uint8Array.from(body) }, patience, io)
}

/**
 * Sends a request, whose redirects are not followed.
 *
 * @throws CommandError when no answer comes
 */
export async function exchange(
  endpoint: URL,
  request: Pick<RequestInit, 'method' | 'headers' | 'body'>,
  { timeoutMs, maximumAnswer }: Patience,
  io: Io,
): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await io.fetch(endpoint, { ...request, redirect: 'manual', signal })
    const read = response.body === null ? undefined : await readAtMost(response.body, maximumAnswer)
    const text = read === undefined ? '' : new TextDecoder().decode(read)
    return { status: response.status, headers: response.headers, body: text }
  } catch (error) {
    throw unreachable(endpoint, error, timeoutMs)
  }
}

function unreachable({ origin, hostname }: URL, error: unknown, timeoutMs: number): CommandError {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new CommandError(failure, `${origin} did not answer within ${timeoutMs / 1000} seconds`)
  }
  const code = codeOf(error) ?? 'unknown'
  switch (code) {
    case 'ECONNREFUSED':
      return new CommandError(
        failure,
        `Nothing listens at ${origin}`,
        'Start the server (npm start), or set its address with --url.',
      )
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CommandError(
        failure,
        `The name ${hostname} cannot be resolved`,
        'Set the address with --url.',
      )
    default:
      return new CommandError(failure, `${origin} cannot be reached (${printable(code, 64)})`)
  }
}

/** The reason hides below what fetch throws, and of several addresses each has its own. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as NodeJS.ErrnoException
  if (typeof code === 'string') return code
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return codeOf(inner) ?? error.message
}
