import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { Endpoints } from '../endpoints/contract.ts'
import type { RecordingGateway } from '../gateway/gateway-contract.ts'
import type { Erasure } from '../operations/eraser.ts'
import type { NodeListener } from '../node/listener.ts'
import type { Subscriptions } from '../subscriptions/options.ts'
import type { WebhookOperations } from './operations.ts'
import type { EndpointsOption } from './options.ts'

/** The endpoints that an option opens. */
export type OpenedEndpoints<Source extends EndpointsOption> = Source extends true ? Endpoints : Source

/** A gateway with its dispatcher and its stores, as handlers for servers. */
export interface Webhooks<Source extends EndpointsOption = EndpointsOption> {
  /** For `createServer`, and middleware: `app.use(webhooks.node)`. */
  readonly node: NodeListener
  /** Middleware for Express, with the address of the client from `request.ip`. Mount it before body parsers. */
  readonly express: NodeListener
  /** For servers with fetch's `Request` and `Response`. Limits per address need `createFetchHandler`. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly gateway: RecordingGateway
  readonly dispatcher: Dispatcher
  /** The endpoints of the database with `endpoints: true`, or those of the option. */
  readonly endpoints: OpenedEndpoints<Source>
  /** The webhooks that are registered at services; undefined without the option `subscriptions`. */
  readonly subscriptions: Subscriptions | undefined
  /** What `createOperations` of `@sallyport/operations` shows. */
  readonly operations: WebhookOperations
  /**
   * Starts to count requests, to keep unprocessed deliveries, to send heartbeats and alerts, to publish events and to delete
   * expired rows.
   */
  start(options?: StartOptions): void
  /**
   * Ends the streams of operators, and waits for running attempts, at most `graceMs` milliseconds. The database stays open.
   */
  stop(graceMs?: number): Promise<void>
  /**
   * Deletes an endpoint of a customer, and erases all that it received.
   *
   * @throws TypeError for an inbox without `erase`
   */
  eraseEndpoint(id: string): Promise<Erasure>
  /**
   * Resolves if deliveries can be recorded and published, for a readiness probe.
   *
   * @throws CodedError 503 `NOT_STARTED` before `start` and after `stop`; the error of the inbox while it is unavailable
   */
  ready(): Promise<void>
}

export interface StartOptions {
  /**
   * Whether this process publishes events, runs replay jobs and deletes expired rows, and not only records deliveries. At
   * least one process must. @default true
   */
  readonly dispatch?: boolean
}
