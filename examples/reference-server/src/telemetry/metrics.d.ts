import { MeterProvider, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { Logger } from '../logging/log.ts';
export interface Metrics {
    readonly provider: MeterProvider;
    readonly port: number;
    readonly close: () => Promise<void>;
}
/**
 * Serves metrics in the text format of Prometheus at `/metrics` on a separate port.
 * @throws Error when the port is unavailable
 */
export declare function openMetrics({ port, host }: {
    readonly port: number;
    readonly host: string;
}, log: Logger): Promise<Metrics>;
/**
 * Formats metrics as Prometheus text. Adds units to the names, as the specification requires and the serializer does not.
 *
 * @see https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/
 */
export declare function prometheusText({ resource, scopeMetrics }: ResourceMetrics): string;
