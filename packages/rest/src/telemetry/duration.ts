import type { Histogram, MeterProvider } from '@opentelemetry/api'

/** The boundaries of the conventions, in seconds. */
const explicitBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Creates the histogram of the conventions. */
export const createDuration = (provider: MeterProvider): Histogram =>
  provider.getMeter('@sallyport/rest').createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Duration of HTTP server requests.',
    advice: { explicitBucketBoundaries },
  })

/** A client chooses the method, and the values of an attribute must stay few. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Returns the value of `http.request.method`. */
export const getKnownMethod = (method: string): string => (methods.has(method) ? method : '_OTHER')
