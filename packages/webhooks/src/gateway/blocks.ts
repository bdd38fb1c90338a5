import { createDelivery } from '../provider/verify.ts'
import type { Admission } from './admit.ts'
import { isDeliveryMethod } from './methods.ts'
import type { Pipeline } from './pipeline-options.ts'
import { openBody } from './receive.ts'
import { keepRefused } from './unprocessed-request.ts'

type Blocked = Pick<Admission, 'request' | 'provider' | 'endpoint'>

/** A blocked client holds no more memory than this. A longer body is not kept. */
const maxKeptBytes = 256 * 1024

/**
 * Lets a request of a blocked client pass if the secrets have changed since its failures. Otherwise the request is kept for
 * `onUnprocessed`, if its body fits, and refused.
 *
 * @throws the block
 */
export async function passBlock(
  pipeline: Pipeline,
  blocked: Blocked,
  secrets: readonly string[] | undefined,
  block: Error,
): Promise<void> {
  const { request, provider, endpoint } = blocked
  if (secrets && pipeline.failedSecrets.haveChanged(provider, endpoint, secrets)) return
  if (pipeline.keepsBlocked && isDeliveryMethod(provider, request.method))
    // The request is refused in any case.
    await keepBlocked(pipeline, blocked).catch(() => undefined)
  throw block
}

async function keepBlocked(pipeline: Pipeline, blocked: Blocked): Promise<void> {
  const { request, endpoint } = blocked
  const sink = openBody(pipeline, blocked, maxKeptBytes)
  try {
    await request.readBody(sink)
    const { method, headers, url, alternativeUrls, receivedAt = pipeline.now() } = request
    const delivery = createDelivery({ method, headers, body: sink.bytes(), url, alternativeUrls }, endpoint)
    keepRefused(pipeline, { ...blocked, delivery, receivedAt }, 'blocked', 429)
  } finally {
    sink.release()
  }
}
