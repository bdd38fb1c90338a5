/**
 * Traces and metrics of the gateway and the dispatcher, through the API of OpenTelemetry. An entry of its own, so that
 * `@opentelemetry/api` is needed only where it is used.
 *
 * @module
 */
export { createTelemetry, type Telemetry, type TelemetryOptions } from './telemetry.ts'
export type { TracedPublisherOptions } from './publisher.ts'
