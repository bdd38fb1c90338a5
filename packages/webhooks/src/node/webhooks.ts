import type { IncomingMessage } from 'node:http'
import { CodedError } from '@sallyport/errors'
import {
  createDispatcher,
  createGateway,
  createRetention,
  handlers,
  staticSecrets,
  type AnyProvider,
  type Dispatcher,
  type DispatcherOptions,
  type EndpointSource,
  type EventHandlers,
  type GatewayOptions,
  type HandlersOptions,
  type Inbox,
  type Publisher,
  type RecordingGateway,
  type RetentionInbox,
  type RetentionOptions,
  type SecretKeeper,
  type SecretSource,
  type Work,
} from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'
import { withoutMessage } from '@sallyport/internal/describe-failure'
import { createNodeListener, type NodeListener } from './listener.ts'

/** Secrets by the name of the provider: one, or several from newest to oldest. */
export type SecretsByName = Readonly<Record<string, string | readonly string[] | undefined>>

export interface WebhooksOptions<Providers extends readonly AnyProvider[]> {
  readonly providers: Providers
  /**
   * The secrets of the addresses without an endpoint.
   *
   * @default none; `endpoints` is required then
   */
  readonly secrets?: SecretsByName | SecretSource | SecretKeeper
  /** The endpoints with separate secrets, such as one per customer. @default none */
  readonly endpoints?: EndpointSource
  /** Records deliveries. Rows expire if the inbox can delete them. */
  readonly inbox: Inbox & Partial<RetentionInbox>
  /** Handlers by the name of their event. An event is retried until its handler returns. Either `on` or `publisher`. */
  readonly on?: EventHandlers<Providers>
  /** Publishes events to a bus. Either `on` or `publisher`. */
  readonly publisher?: Publisher
  /** Calls a listener when another process may have recorded work, such as `database.onWork`. @default polling */
  readonly onWork?: (listener: (work: Work) => void) => () => void
  /**
   * Called with errors of the inbox; the work continues when the inbox is available again.
   *
   * @default console.error, without the message of the error
   */
  readonly onError?: (error: unknown) => unknown
  /**
   * Called for each settled attempt to handle or publish an event.
   *
   * @default console.error for the failures of handlers, with the stack and without the message, which can quote the payload
   */
  readonly onAttempt?: DispatcherOptions['onAttempt']
  /** The path before the name of the provider. @default '/webhooks' */
  readonly basePath?: string
  /** The public origin, such as `https://hooks.example.com`, for schemes that sign the URL. */
  readonly publicUrl?: string
  /** Further options of the gateway, such as `limits` and `observe`. */
  readonly gateway?: Partial<Omit<GatewayOptions, 'providers' | 'secrets' | 'endpoints' | keyof Recorders>>
  /** Further options of the dispatcher, such as `notifications` and the back-off. */
  readonly dispatcher?: Partial<Omit<DispatcherOptions, 'inbox' | 'publisher' | 'onAttempt' | 'onError'>>
  /** The concurrency and the timeout of handlers. */
  readonly handlers?: HandlersOptions
  /** How long rows are kept; `false` keeps them all. @default the defaults of `createRetention` */
  readonly retention?: Omit<RetentionOptions, 'inbox' | 'onError'> | false
}

interface Recorders {
  inbox: never
  dispatcher: never
  publisher: never
  publishTimeoutMs: never
}

/** A gateway with its dispatcher and its retention, as handlers for servers. */
export interface Webhooks {
  /** For `createServer`, and middleware: `app.use(webhooks.node)`. */
  readonly node: NodeListener
  /** Middleware for Express, with the address of the client from `request.ip`. Mount it before body parsers. */
  readonly express: NodeListener
  /** For servers with fetch's `Request` and `Response`. Limits per address need `createFetchHandler`. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly gateway: RecordingGateway
  readonly dispatcher: Dispatcher
  /** Starts to publish events and to delete expired rows. */
  start(): void
  /** Waits for running attempts, at most `graceMs` milliseconds. The inbox stays open. */
  stop(graceMs?: number): Promise<void>
  /**
   * Resolves if deliveries can be recorded and published, for a readiness probe.
   *
   * @throws CodedError 503 `NOT_STARTED` before `start` and after `stop`; the error of the inbox while it is unavailable
   */
  ready(): Promise<void>
}

/**
 * Creates a gateway with its dispatcher and its retention: the common case in one call.
 *
 * A delivery is verified, recorded and answered. Then each of its events goes to its handler, at least once and always with
 * the same id, also after a crash.
 *
 * @throws TypeError for a provider without a secret, without a handler or publisher, and as `createGateway`,
 * `createDispatcher` and `createRetention`
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { github } from '@sallyport/providers/github'
 * import { openSqlite } from '@sallyport/sql/sqlite'
 * import { createWebhooks } from '@sallyport/webhooks/node'
 *
 * const database = await openSqlite({ path: './webhooks.db' })
 * const webhooks = createWebhooks({
 *   providers: [github],
 *   secrets: { github: process.env['WEBHOOK_SECRET_GITHUB'] },
 *   inbox: database.inbox(),
 *   on: {
 *     'github/push': ({ id, data }) => console.log(id, data),
 *   },
 * })
 * webhooks.start()
 * createServer(webhooks.node).listen(3000)
 * ```
 */
export function createWebhooks<const Providers extends readonly AnyProvider[]>(
  options: WebhooksOptions<Providers>,
): Webhooks {
  const { providers, endpoints, inbox, onWork, onError = reportError, onAttempt, retention } = options
  const host = {
    ...(options.basePath !== undefined && { basePath: options.basePath }),
    ...(options.publicUrl !== undefined && { publicUrl: options.publicUrl }),
  }
  const dispatcher = createDispatcher({
    ...options.dispatcher,
    inbox,
    publisher: choosePublisher(options),
    ...(onAttempt && { onAttempt }),
    onError,
  })
  const secrets = readSecrets(options.secrets, endpoints === undefined ? providers : [])
  const gateway = createGateway({
    ...options.gateway,
    providers,
    // Without secrets, `endpoints` is set, or every provider has been refused.
    ...(secrets ? { secrets, endpoints } : { endpoints: endpoints as EndpointSource }),
    inbox,
    dispatcher,
  })
  const cleaner =
    retention !== false && canPrune(inbox) ? createRetention({ ...retention, inbox, onError }) : undefined

  let isStarted = false
  let unsubscribe: (() => void) | undefined
  return {
    node: createNodeListener(gateway, host),
    express: createNodeListener(gateway, {
      ...host,
      clientAddress: ({ ip }: IncomingMessage & { readonly ip?: string }) => ip,
    }),
    fetch: createFetchHandler<[]>(gateway, host),
    gateway,
    dispatcher,
    start() {
      if (isStarted) return
      isStarted = true
      dispatcher.start()
      cleaner?.start()
      unsubscribe = onWork?.((work) => {
        dispatcher.wake(work)
      })
    },
    async stop(graceMs) {
      isStarted = false
      unsubscribe?.()
      await Promise.all([dispatcher.stop(graceMs), cleaner?.stop()])
    },
    async ready() {
      if (!isStarted) throw new CodedError(503, 'NOT_STARTED', 'Call start() before deliveries arrive')
      await inbox.known(['ready'])
    },
  }
}

function choosePublisher({
  on,
  publisher,
  handlers: options,
  onAttempt,
}: Pick<WebhooksOptions<readonly AnyProvider[]>, 'on' | 'publisher' | 'handlers' | 'onAttempt'>): Publisher {
  if ((on === undefined) === (publisher === undefined)) throw new TypeError('Set either on or publisher')
  return publisher ?? handlers(onAttempt === undefined ? reportFailures(on ?? {}) : (on ?? {}), options)
}

type Handlers = EventHandlers<readonly AnyProvider[]>

function reportFailures(on: Handlers): Handlers {
  const reporting = Object.entries(on).map(([name, handler]) => {
    if (typeof handler !== 'function') return [name, handler] as const
    const report: typeof handler = async (event, signal) => {
      try {
        await handler(event, signal)
      } catch (error) {
        log(`The handler of ${name} failed for ${event.id}:`, error)
        throw error
      }
    }
    return [name, report] as const
  })
  return Object.fromEntries(reporting)
}

const reportError = (error: unknown): void => {
  log('The inbox failed:', error)
}

function log(text: string, error: unknown): void {
  // eslint-disable-next-line no-console -- the default of an option
  console.error(`sallyport: ${text}`, withoutMessage(error))
}

function readSecrets(
  secrets: SecretsByName | SecretSource | SecretKeeper | undefined,
  required: readonly AnyProvider[],
): SecretSource | SecretKeeper | undefined {
  if (secrets !== undefined && (isFunction(secrets, 'lease') || isFunction(secrets, 'getSecrets')))
    return secrets as SecretSource | SecretKeeper
  const given = Object.entries((secrets ?? {}) as SecretsByName).flatMap(([name, values = []]) => {
    const own = [values].flat().filter((value) => value !== '')
    return own.length === 0 ? [] : [[name, own] as const]
  })
  const named = new Set(given.map(([name]) => name))
  const missing = required.find(({ name }) => !named.has(name))
  if (missing) throw new TypeError(`Set a secret for "${missing.name}" in secrets`)
  return secrets && staticSecrets(Object.fromEntries(given))
}

const isFunction = (value: object, name: string): boolean =>
  typeof (value as Readonly<Record<string, unknown>>)[name] === 'function'

function canPrune(inbox: Inbox & Partial<RetentionInbox>): inbox is Inbox & RetentionInbox {
  return isFunction(inbox, 'prune')
}
