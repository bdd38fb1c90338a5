import type { EmbeddedBus } from '@sallyport/sql/sqlite';
import { type Telemetry } from '@sallyport/webhooks/telemetry';
import type { RequestListener } from 'node:http';
import type { Config } from '../config/config.ts';
import type { Logger } from '../logging/log.ts';
export interface ServerTelemetry extends Telemetry {
    /** The port of `/metrics`; undefined without metrics. */
    readonly metricsPort: number | undefined;
    /** Wraps a listener and measures its requests. */
    readonly requests: (listener: RequestListener) => RequestListener;
    /** Observes the consumers of the embedded bus. */
    readonly busConsumers: (read: EmbeddedBus['consumers']) => void;
    /** Closes the metrics listener and exports the last traces within a timeout. */
    readonly close: () => Promise<void>;
}
/**
 * Opens metrics at `METRICS_PORT` and traces to `OTEL_EXPORTER_OTLP_ENDPOINT`. Without these settings, both use the
 * OpenTelemetry SDK that the operator has registered, if any.
 * @throws Error when the port of metrics is unavailable
 */
export declare function openTelemetry({ settings, providers }: Pick<Config, 'settings' | 'providers'>, log: Logger): Promise<ServerTelemetry>;
