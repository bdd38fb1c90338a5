import { withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import type { FailureLimiter, GatewayEndpoint } from '../ports/ports.ts'
import { endpointRateLimited, rateLimited } from '../ports/refusals.ts'
import { memoryFailureLimiter } from './failure-limiter.ts'
import type { PipelineOptions } from './pipeline-options.ts'

/** The gateway asks a shared limiter for each delivery. */
const limiterTimeoutMs = 1000

/** The default number of verified deliveries of an endpoint in a minute. */
const endpointDeliveries = 6000

/**
 * Creates the limits of failures by client and of deliveries by endpoint. Each function rejects with `RATE_LIMITED` (429). A
 * limiter that fails blocks no client: the signature still protects the gateway.
 */
export function createLimits({
  limiter = memoryFailureLimiter(),
  endpointLimiter = memoryFailureLimiter({ failures: endpointDeliveries }),
  allowVerified = false,
  onLimiterError,
}: Omit<PipelineOptions, 'providers'>) {
  async function ask(
    by: FailureLimiter,
    method: 'check' | 'fail',
    key: string,
    refuse: (waitMs: number) => Error,
  ): Promise<void> {
    let blockedMs = 0
    try {
      blockedMs = await withDeadline(limiterTimeoutMs, by[method](key))
    } catch (error) {
      callHook(onLimiterError, error)
    }
    if (blockedMs > 0) throw refuse(blockedMs)
  }

  return {
    checkClient: (client: string | undefined) =>
      allowVerified || client === undefined ? undefined : ask(limiter, 'check', client, rateLimited),
    /** Counts a failure. Rejects when parallel failures exceed the limit. */
    failClient: (client: string | undefined) =>
      client === undefined ? undefined : ask(limiter, 'fail', client, rateLimited),
    checkEndpoint: ({ id }: GatewayEndpoint) => ask(endpointLimiter, 'check', id, endpointRateLimited),
    /** Counts a verified delivery. */
    countEndpoint: ({ id }: GatewayEndpoint) => ask(endpointLimiter, 'fail', id, endpointRateLimited),
  }
}
