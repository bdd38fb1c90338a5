import {
  context,
  isSpanContextValid,
  metrics,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type MeterProvider,
  type TracerProvider,
} from '@opentelemetry/api'
import type { Api } from '../api/api-options.ts'
import type { ApiRequest, ApiResponse } from '../api/api-request.ts'
import { createDuration, getKnownMethod } from './duration.ts'

export interface ObserveOptions {
  /** @default the global meter provider of `@opentelemetry/api`; without one, metrics are off */
  readonly meterProvider?: MeterProvider
  /** @default the global tracer provider of `@opentelemetry/api`; without one, traces are off */
  readonly tracerProvider?: TracerProvider
}

/**
 * Adds a server span and the metric `http.server.request.duration` for each request. Handlers and hooks run in the span.
 *
 * The span continues the trace of the host, or of the request as the global propagator reads it. The duration ends when the
 * response is ready; the time that a stream takes is not part of it. No attribute holds a query, a body or the message of an error.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-metrics/
 *
 * @example
 * ```ts
 * import { createApi } from '@sallyport/rest'
 * import { observeApi } from '@sallyport/rest/telemetry'
 *
 * export const api = observeApi(createApi({ routes: [] }))
 * ```
 */
export function observeApi<Contracts>(api: Api<Contracts>, options: ObserveOptions = {}): Api<Contracts> {
  const { meterProvider = metrics.getMeterProvider(), tracerProvider = trace.getTracerProvider() } = options
  const tracer = tracerProvider.getTracer('@sallyport/rest')
  const duration = createDuration(meterProvider)

  return {
    ...api,
    async handle(request) {
      const startedAt = performance.now()
      const method = getKnownMethod(request.method)
      const common = { 'http.request.method': method, 'url.scheme': getScheme(request.raw) }
      const parent = getParent(request)
      const span = tracer.startSpan(
        method === '_OTHER' ? 'HTTP' : method,
        { kind: SpanKind.SERVER, attributes: { ...common, ...describeRequest(request) } },
        parent,
      )
      const response = await context.with(trace.setSpan(parent, span), () => api.handle(request))
      const described = describeResponse(request, response)
      duration.record((performance.now() - startedAt) / 1000, { ...common, ...described })
      if (span.isRecording()) {
        span.setAttributes({ ...described, 'http.response.header.x-request-id': [request.requestId] })
        const route = described['http.route']
        if (typeof route === 'string') span.updateName(`${method === '_OTHER' ? 'HTTP' : method} ${route}`)
        if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
      return response
    },
  }
}

/** Returns the context of the span of the host, or else of the caller. */
function getParent({ header }: ApiRequest): Context {
  const active = context.active()
  const host = trace.getSpanContext(active)
  if (host !== undefined && isSpanContextValid(host)) return active
  return propagation.extract(active, header, {
    get: (read, name) => read(name.toLowerCase()),
    keys: () => [],
  })
}

function describeRequest({ method, mountPath, path, clientAddress, header }: ApiRequest): Attributes {
  const agent = header('user-agent')
  return {
    'url.path': mountPath + path,
    ...(getKnownMethod(method) !== method && { 'http.request.method_original': method }),
    ...(clientAddress !== undefined && { 'client.address': clientAddress }),
    ...(agent !== undefined && { 'user_agent.original': agent }),
  }
}

function describeResponse({ mountPath }: ApiRequest, { status, route }: ApiResponse): Attributes {
  return {
    'http.response.status_code': status,
    ...(route !== undefined && { 'http.route': mountPath + route.path }),
    ...(status >= 500 && { 'error.type': String(status) }),
  }
}

/** Reads the scheme from the request of a host: a Node.js message with its socket, or a `Request`. */
function getScheme(raw: unknown): 'http' | 'https' {
  const { url, socket } = Object(raw) as {
    readonly url?: string
    readonly socket?: { readonly encrypted?: boolean }
  }
  return socket?.encrypted === true || url?.startsWith('https:') === true ? 'https' : 'http'
}
