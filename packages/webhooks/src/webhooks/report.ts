import { withoutMessage } from '@sallyport/internal/describe-failure'
import { handlers, type EventHandlers, type HandlersOptions } from '../handlers/handlers.ts'
import type { Publisher } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'

/** The parts that can fail while the others work. */
export type WebhookPart =
  | 'inbox'
  | 'endpoints'
  | 'secrets'
  | 'traffic'
  | 'unprocessed'
  | 'replay jobs'
  | 'alerts'
  | 'audit'
  | 'retention'

/** Called with an error, and the part that continues when the cause is gone. */
export type ReportError = (error: unknown, part: WebhookPart) => unknown

/** Prints an error without its message, which can quote credentials and payloads. */
export const printError: ReportError = (error, part) => {
  print(`The ${part} failed:`, error)
}

type Handlers = EventHandlers<readonly AnyProvider[]>

interface Destination {
  readonly on?: Handlers | undefined
  readonly publisher?: Publisher | undefined
  readonly handlers?: HandlersOptions | undefined
  readonly onAttempt?: unknown
}

/**
 * Returns the publisher, or the one that calls the handlers. Without `onAttempt`, failures of handlers are printed.
 *
 * @throws TypeError for both, and for none
 */
export function choosePublisher({ on, publisher, handlers: options, onAttempt }: Destination): Publisher {
  if (publisher !== undefined && on === undefined) return publisher
  if (on === undefined || publisher !== undefined) throw new TypeError('Set either on or publisher')
  return handlers(onAttempt === undefined ? printFailures(on) : on, options)
}

function printFailures(on: Handlers): Handlers {
  const reporting = Object.entries(on).map(([name, handler]) => {
    if (typeof handler !== 'function') return [name, handler] as const
    const report: typeof handler = async (event, signal) => {
      try {
        await handler(event, signal)
      } catch (error) {
        print(`The handler of ${name} failed for ${event.id}:`, error)
        throw error
      }
    }
    return [name, report] as const
  })
  return Object.fromEntries(reporting)
}

function print(text: string, error: unknown): void {
  // eslint-disable-next-line no-console -- the default of an option
  console.error(`sallyport: ${text}`, withoutMessage(error))
}
