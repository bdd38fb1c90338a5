import { withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import type { FailureLimiter, GatewayEndpoint } from '../ports/ports.ts'
import { endpointRateLimited, rateLimited } from '../ports/refusals.ts'
import { createMemoryFailureLimiter } from './failure-limiter.ts'
import type { PipelineOptions } from './pipeline-options.ts'

/** The gateway asks a shared limiter for each delivery. */
const limiterTimeoutMs = 1000

/** The default number of verified deliveries of an endpoint in a minute. */
const endpointDeliveries = 6000

/**
 * Creates the limits of failures by client and of deliveries by endpoint. A limiter that fails blocks no client: the signature
 * still protects the gateway.
 */
export function createLimits({
  limiter = createMemoryFailureLimiter(),
  endpointLimiter = createMemoryFailureLimiter({ failures: endpointDeliveries }),
  allowVerified = false,
  onLimiterError,
}: Omit<PipelineOptions, 'providers'>) {
  async function ask(
    by: FailureLimiter,
    method: 'check' | 'fail',
    key: string,
    refuse: (waitMs: number) => Error,
  ): Promise<Error | undefined> {
    let blockedMs = 0
    try {
      blockedMs = await withDeadline(limiterTimeoutMs, by[method](key))
    } catch (error) {
      callHook(onLimiterError, error)
    }
    return blockedMs > 0 ? refuse(blockedMs) : undefined
  }

  const countFailure = (client: string | undefined) =>
    client === undefined ? undefined : ask(limiter, 'fail', client, rateLimited)

  async function admit(method: 'check' | 'fail', { id }: GatewayEndpoint): Promise<void> {
    const refusal = await ask(endpointLimiter, method, id, endpointRateLimited)
    if (refusal) throw refusal
  }

  return {
    /** Returns the error of a blocked client. */
    findBlock: (client: string | undefined) =>
      allowVerified || client === undefined ? undefined : ask(limiter, 'check', client, rateLimited),
    /** Counts a failure. Returns an error when parallel failures exceed the limit. */
    countFailure,
    /** Counts a failure. @throws SallyportError `RATE_LIMITED` (429) when parallel failures exceed the limit */
    async failClient(client: string | undefined): Promise<void> {
      const block = await countFailure(client)
      if (block) throw block
    },
    /** @throws SallyportError `RATE_LIMITED` (429) */
    checkEndpoint: (endpoint: GatewayEndpoint) => admit('check', endpoint),
    /** Counts a verified delivery. @throws SallyportError `RATE_LIMITED` (429) */
    countEndpoint: (endpoint: GatewayEndpoint) => admit('fail', endpoint),
  }
}
