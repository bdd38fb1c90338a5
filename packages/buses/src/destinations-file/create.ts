import type { AnyProvider, MaybePromise } from '@sallyport/webhooks'
import {
  createEventFilter,
  type EventFilter,
  type ManagedDestinationDeclaration,
} from '@sallyport/webhooks/filter'
import { createHttpDestination, type HttpDestination } from '../http/index.ts'
import type { RetryOptions } from '../http/retry-delays.ts'

export interface DeclaredDestinationOptions {
  /** The secrets, the newest first, or a function that is called for every request. */
  readonly secrets: readonly string[] | (() => MaybePromise<readonly string[]>)
  /** The providers that deliveries can come from. */
  readonly providers: readonly AnyProvider[]
  /** As `network.allowPrivate` of `createHttpDestination`. */
  readonly allowPrivate: boolean | readonly string[]
}

/**
 * Creates the destination of a declaration.
 *
 * @throws TypeError as `createHttpDestination`, and for a member that the mode does not have
 */
export function createDeclaredDestination(
  declaration: ManagedDestinationDeclaration,
  { secrets, providers, allowPrivate }: DeclaredDestinationOptions,
): HttpDestination {
  const { name, url, mode, headers, filter, redact, order, concurrency, statuses, retry } = declaration
  const { format, sign, allow_headers: allowHeaders, query } = declaration
  const common = {
    ...{ name, url, secrets, network: { allowPrivate }, headers, redact, order, concurrency, statuses },
    filter: filter && createEventFilter(filter),
    ratePerSecond: declaration.rate_per_second,
    timeoutMs: toMilliseconds(declaration.timeout_seconds),
    maxAgeMs: toMilliseconds(declaration.max_age_seconds),
    retry: retry && toRetry(retry),
  }
  if (mode === 'event') {
    if ((sign ?? allowHeaders ?? query) !== undefined)
      throw new TypeError('sign, allow_headers and query need the mode original')
    return createHttpDestination({ ...common, mode, format })
  }
  if (format !== undefined) throw new TypeError('format needs the mode event')
  const signers = sign === 'provider' ? selectProviders(providers, filter) : undefined
  return createHttpDestination({ ...common, mode, sign, providers: signers, allowHeaders, query })
}

/** Returns the providers that pass the filter. */
function selectProviders(
  providers: readonly AnyProvider[],
  filter: EventFilter = {},
): readonly AnyProvider[] {
  const { provider: named, events } = filter
  const ofEvents = events?.map((pattern) => pattern.slice(0, pattern.indexOf('/')))
  return providers.filter(({ name }) => (named?.includes(name) ?? true) && (ofEvents?.includes(name) ?? true))
}

const toMilliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.ceil(seconds * 1000)

function toRetry(retry: NonNullable<ManagedDestinationDeclaration['retry']>): RetryOptions {
  if ('length' in retry) return retry.map((seconds) => Math.ceil(seconds * 1000))
  return {
    firstMs: toMilliseconds(retry.first_seconds),
    factor: retry.factor,
    longestMs: toMilliseconds(retry.longest_seconds),
    forMs: toMilliseconds(retry.for_seconds),
  }
}
