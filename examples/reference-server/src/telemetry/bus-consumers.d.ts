import { type MeterProvider } from '@opentelemetry/api';
import type { EmbeddedBus } from '@sallyport/sql/sqlite';
/** Observes how far the consumers of the embedded bus are, at each collection. */
export declare function observeBusConsumers(bus: Pick<EmbeddedBus, 'consumers'>, provider?: MeterProvider, now?: () => number): void;
