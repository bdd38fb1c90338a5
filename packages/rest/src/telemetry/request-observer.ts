import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { metrics, type MeterProvider } from '@opentelemetry/api'
import type { ApiRequest } from '../api/api-request.ts'
import type { AnyRoute } from '../route.ts'
import { createDuration, getKnownMethod } from './duration.ts'

export interface RequestObserverOptions {
  /** @default the global meter provider of `@opentelemetry/api`; without one, metrics are off */
  readonly meterProvider?: MeterProvider
  /** Returns the template of a path that no API answers, such as that of a gateway. @default none */
  readonly getRoute?: (path: string) => string | undefined
  /** Called when the connection of a request has its response, or is closed. */
  readonly onEnd?: (event: RequestEnd) => void
}

interface RequestEnd {
  readonly response: ServerResponse
  readonly method: string
  readonly route: string | undefined
  /** Undefined if the client disconnected before. */
  readonly status: number | undefined
  readonly durationMs: number
}

export interface RequestObserver {
  /** The hook `onRoute` of the APIs of the server. */
  readonly onRoute: (route: AnyRoute, request: ApiRequest) => void
  /** Wraps the listener of the server. */
  readonly observe: (listener: RequestListener) => RequestListener
}

/**
 * Creates the metric `http.server.request.duration` of a server of `node:http` that has more than one API. Unlike `observeApi`, it
 * measures every request until its response is sent, streams and other handlers included, and has no spans.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-metrics/
 *
 * @example
 * ```ts
 * import { createApi } from '@sallyport/rest'
 * import { createNodeListener, listen } from '@sallyport/rest/node'
 * import { createRequestObserver } from '@sallyport/rest/telemetry'
 *
 * const { observe, onRoute } = createRequestObserver()
 * const api = createApi({ routes: [], onRoute })
 * await listen(observe(createNodeListener(api)), { host: '127.0.0.1', port: 3000 })
 * ```
 */
export function createRequestObserver(options: RequestObserverOptions = {}): RequestObserver {
  const { meterProvider = metrics.getMeterProvider(), getRoute, onEnd } = options
  const duration = createDuration(meterProvider)
  const routes = new WeakMap<IncomingMessage, string>()
  return {
    onRoute({ path }, { mountPath, raw }) {
      routes.set(raw as IncomingMessage, mountPath + path)
    },
    observe: (listener) => (request, response) => {
      const startedAt = performance.now()
      const method = getKnownMethod(request.method ?? '')
      // Frameworks may change `request.url`.
      const [path = '/'] = (request.url ?? '/').split('?', 1)
      response.once('close', () => {
        const durationMs = performance.now() - startedAt
        const route = routes.get(request) ?? getRoute?.(path)
        const status = response.headersSent ? response.statusCode : undefined
        duration.record(durationMs / 1000, {
          'http.request.method': method,
          'url.scheme': 'encrypted' in request.socket ? 'https' : 'http',
          ...(route !== undefined && { 'http.route': route }),
          ...(status === undefined ? { 'error.type': 'aborted' } : { 'http.response.status_code': status }),
        })
        onEnd?.({ response, method, route, status, durationMs })
      })
      listener(request, response)
    },
  }
}
