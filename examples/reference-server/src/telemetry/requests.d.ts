import type { IncomingMessage, RequestListener } from 'node:http';
import { type MeterProvider } from '@opentelemetry/api';
import type { Logger } from '../logging/log.ts';
/** Records the template of the route of a request, such as `/api/v1/users/{id}`. */
export declare function noteRoute(request: IncomingMessage, route: string): void;
/**
 * Measures the duration of every request by route template and status, and logs it at debug.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-metrics/
 */
export declare function measureRequests(provider: MeterProvider | undefined, log: Logger): (listener: RequestListener) => RequestListener;
