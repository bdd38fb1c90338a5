import { TracerProvider } from '@opentelemetry/sdk-trace';
import type { Settings } from '../config/settings.ts';
import type { Logger } from '../logging/log.ts';
/** Exports traces to a collector, by OTLP over HTTP with protobuf. */
export declare function openTracing(endpoint: string, settings: Pick<Settings, 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER_ARG'>, log: Logger): TracerProvider;
