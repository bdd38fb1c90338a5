import type { IncomingMessage, RequestListener } from 'node:http'
import { metrics, type MeterProvider } from '@opentelemetry/api'
import type { Logger } from '../logging/log.ts'

const routes = new WeakMap<IncomingMessage, string>()

/** Records the template of the route of a request, such as `/api/v1/users/{id}`. */
export function noteRoute(request: IncomingMessage, route: string): void {
  routes.set(request, route)
}

/** The boundaries of the semantic conventions, in seconds. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Limits the values of the attribute. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Measures the duration of every request by route template and status, and logs it at debug.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-metrics/
 */
export function measureRequests(
  provider: MeterProvider = metrics.getMeterProvider(),
  log: Logger,
): (listener: RequestListener) => RequestListener {
  const duration = provider.getMeter('sallyport').createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Duration of HTTP requests, webhooks included',
    advice: { explicitBucketBoundaries: boundaries },
  })
  return (listener) => (request, response) => {
    const startedAt = performance.now()
    const method = methods.has(request.method ?? '') ? String(request.method) : '_OTHER'
    // Frameworks may change `request.url`.
    const { url = '/' } = request
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000
      const route = routes.get(request) ?? webhookRoute(url)
      // Without sent headers, the client has disconnected.
      const status = response.headersSent ? response.statusCode : undefined
      duration.record(seconds, {
        'http.request.method': method,
        'url.scheme': 'http',
        ...(route !== undefined && { 'http.route': route }),
        ...(status === undefined ? { 'error.type': 'aborted' } : { 'http.response.status_code': status }),
      })
      log.debug(
        { requestId: response.getHeader('x-request-id'), method, route, status, durationMs: seconds * 1000 },
        'Request',
      )
    })
    listener(request, response)
  }
}

function webhookRoute(url: string): string | undefined {
  const [path = '/'] = url.split('?', 1)
  if (/^\/webhooks\/[^/]+$/.test(path)) return '/webhooks/:provider'
  return /^\/webhooks\/[^/]+\/[^/]+$/.test(path) ? '/webhooks/:provider/:endpoint' : undefined
}
