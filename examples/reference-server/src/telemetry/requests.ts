import type { RequestListener, ServerResponse } from 'node:http'
import { metrics, type MeterProvider } from '@opentelemetry/api'
import { parseProviderSegment } from '@sallyport/webhooks'
import type { Logger } from '../log.ts'

const routes = new WeakMap<ServerResponse, string>()

/** Notes the template of the route that answers, such as `/api/v1/users/{id}`. */
export function noteRoute(response: ServerResponse, route: string): void {
  routes.set(response, route)
}

/** The boundaries that the semantic conventions advise, in seconds. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Node.js knows more methods than a metric should have values. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Times every request by the template of its route and its status, and logs it when `debug` is logged.
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
    // A framework may write into the request's own.
    const { url = '/' } = request
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000
      const route = routes.get(response) ?? webhookRoute(url)
      // Without headers there was no answer: the client has gone.
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
  try {
    return parseProviderSegment(path, '/webhooks') === undefined ? undefined : '/webhooks/:provider'
  } catch {
    return undefined
  }
}
