import { isSallyportError } from '@sallyport/errors'
import { describeFailure, withoutMessage } from '@sallyport/internal/describe-failure'
import { toHandlerFailure } from '../handlers/handler-error.ts'
import type { WebhookEvent } from '../ports/event.ts'

/** The parts that can fail while the others work. */
type WebhookPart =
  | 'gateway'
  | 'inbox'
  | 'lanes'
  | 'destinations'
  | 'endpoints'
  | 'secrets'
  | 'subscriptions'
  | 'traffic'
  | 'unprocessed'
  | 'reconciliation'
  | 'replay jobs'
  | 'alerts'
  | 'processes'
  | 'audit'
  | 'retention'

/** Called with an error, and the part that continues when the cause is gone. */
export type ReportError = (error: unknown, part: WebhookPart) => unknown

/** Prints an error without its message, which can quote credentials and payloads. */
export const printError: ReportError = (error, part) => {
  const advice = readAdvice(error, part)
  // The stack shows only code of the gateway.
  if (part === 'gateway' && advice !== undefined) print(advice)
  else print(`The ${part} failed${advice === undefined ? '' : ` (${advice})`}:`, error)
}

/** The code of PostgreSQL for a statement about a table that does not exist. */
const undefinedTable = '42P01'

/** Returns what to do about an error of the database, or the message of an answer of the gateway. */
function readAdvice(error: unknown, part: WebhookPart): string | undefined {
  const { cause = error } = Object(error) as { readonly cause?: unknown }
  const { code } = Object(cause) as { readonly code?: unknown }
  if (code === undefinedTable) return 'a table is missing: open the database with migrate: true'
  const isAdvice = isSallyportError(cause) && (part === 'gateway' || cause.code.startsWith('DATABASE_'))
  return isAdvice ? cause.message : undefined
}

/** Prints an error of a handler: the text of a `HandlerError`, and no other message. */
export function printHandlerError(error: unknown, { id, name }: WebhookEvent): void {
  const text = toHandlerFailure(error).error
  const detail = text === describeFailure(error) ? '' : ` (${text})`
  print(`The handler of ${name} failed for ${id}${detail}:`, error)
}

function print(text: string, ...errors: readonly unknown[]): void {
  // eslint-disable-next-line no-console -- the default of an option
  console.error(`sallyport: ${text}`, ...errors.map(withoutMessage))
}
