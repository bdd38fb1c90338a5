/**
 * The trace that something is a part of, as W3C Trace Context writes it.
 *
 * @see https://www.w3.org/TR/trace-context/
 */
export interface TraceContext {
  /** `00-<trace id>-<span id>-<flags>`. */
  readonly traceparent: string
  readonly tracestate?: string
}
