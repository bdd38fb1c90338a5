import { createDelivery } from '../provider/verify.ts'
import type { Admission } from './admit.ts'
import { isDeliveryMethod } from './methods.ts'
import type { Pipeline } from './pipeline-options.ts'
import { openBody } from './receive.ts'
import { keepRefused } from './unprocessed-request.ts'

/** A blocked client holds no more memory than this. A longer body is not kept. */
const maxKeptBytes = 256 * 1024

/** Keeps a request of a blocked client for `onUnprocessed`, if its body fits. The request is refused in any case. */
export async function keepBlocked(
  pipeline: Pipeline,
  blocked: Pick<Admission, 'request' | 'provider' | 'endpoint'>,
): Promise<void> {
  const { request, provider, endpoint } = blocked
  if (!pipeline.keepsBlocked || !isDeliveryMethod(provider, request.method)) return
  try {
    const sink = openBody(pipeline, blocked, maxKeptBytes)
    try {
      await request.readBody(sink)
      const { method, headers, url, alternativeUrls, receivedAt = pipeline.now() } = request
      const delivery = createDelivery({ method, headers, body: sink.bytes(), url, alternativeUrls }, endpoint)
      keepRefused(pipeline, { ...blocked, delivery, receivedAt }, 'blocked', 429)
    } finally {
      sink.release()
    }
  } catch {
    // The body is too long, or incomplete.
  }
}
