import type { EndpointSource, FailureLimiter } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { Registry } from '../provider/registry.ts'
import type { SecretKeeper } from '../secrets/secret-keeper.ts'
import type { Recorder, Redactor } from './accept.ts'
import { checkBodyLimits, createBodyBudget, type BodyLimits } from './body-budget.ts'
import type { DeliveryTracer, Observation, UnprocessedRequest } from './gateway-contract.ts'
import { createClientKeys } from './limited-client.ts'
import { createLimits } from './limits.ts'

/** Options of every gateway. */
export interface PipelineOptions {
  readonly providers: Iterable<AnyProvider>
  /** @default 20 failures a minute, counted in this process */
  readonly limiter?: FailureLimiter
  /** Endpoints with separate secrets, at `/webhooks/<provider>/<endpoint>`. @default none */
  readonly endpoints?: EndpointSource | undefined
  /**
   * Limits the verified deliveries of each endpoint, which is the `address` of the limiter, so that one endpoint cannot use the
   * capacity of all.
   *
   * @default 6,000 deliveries a minute, counted in this process
   */
  readonly endpointLimiter?: FailureLimiter
  /** The response to a delivery for a disabled endpoint. @default 410 */
  readonly disabledEndpointStatus?: 404 | 410
  /** Accepts correctly signed deliveries from a blocked address. @default false */
  readonly allowVerified?: boolean
  readonly limits?: BodyLimits
  /**
   * The names of providers whose signature does not cover the whole body (their `trust` is `partial`, `origin` or `none`)
   * and whose deliveries are accepted nevertheless.
   *
   * @default []
   */
  readonly allowUnsigned?: readonly string[]
  /** Called after each request is answered. */
  readonly observe?: (observation: Observation) => unknown
  /** Traces requests and their events. @default no tracing */
  readonly tracer?: DeliveryTracer
  /**
   * Called with each ignored delivery and each delivery whose signature is not valid, before the answer. The function must not
   * wait. @default none
   */
  readonly onUnprocessed?: ((request: UnprocessedRequest) => unknown) | undefined
  /**
   * Whether `onUnprocessed` is called with the deliveries of blocked addresses too, with the reason `blocked`. Their bodies are read
   * up to 256 KiB then. @default false
   */
  readonly keepsBlocked?: boolean
  /** Removes values before a delivery is stored or published: `createRedactor`. @default none */
  readonly redactor?: Redactor | undefined
  /** Called when the limiter fails. The gateway blocks no address then: the signature keeps forged deliveries out. */
  readonly onLimiterError?: (error: unknown) => unknown
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** The replaceable parts of a gateway. The factories import them, so that a bundle contains only the chosen parts. */
export interface PipelineParts {
  readonly registry: Registry
  /** The secrets of the addresses without an endpoint. */
  readonly secrets: (Pick<SecretKeeper, 'getSecrets'> & Partial<Pick<SecretKeeper, 'refresh'>>) | undefined
  readonly record: Recorder
  readonly newId: () => string
}

/** The parts and the checked options that the steps of a pipeline share. */
export type Pipeline = ReturnType<typeof preparePipeline>

/** @throws TypeError for a number that is out of range */
export function preparePipeline(options: PipelineOptions, parts: PipelineParts) {
  const { endpoints, disabledEndpointStatus = 410, now = Date.now } = options
  const { onUnprocessed, keepsBlocked = false, redactor } = options
  const clientLimits = createLimits(options)
  const bodyLimits = checkBodyLimits(options.limits)
  return {
    ...parts,
    ...{ endpoints, disabledEndpointStatus, onUnprocessed, keepsBlocked, redactor, now, clientLimits },
    getClient: createClientKeys(now),
    bodyBytes: bodyLimits.bodyBytes,
    openSink: createBodyBudget(bodyLimits),
  }
}
