import { type DestinationStream, type Logger } from 'pino';
import type { Observation } from '@sallyport/webhooks';
export type { Logger } from 'pino';
/** Creates a log of JSON lines. No line holds a body or a secret. */
export declare function createLog(level: string, destination: DestinationStream): Logger;
/** A formatter of log lines for a terminal. */
export declare function createPrettyStream(): Promise<DestinationStream>;
/** Creates the handler for a stored item that cannot be read as an event and was set aside. */
export declare const logUnreadable: (log: Pick<Logger, 'error'>) => (error: unknown) => void;
/**
 * Logs an answered delivery. Failures of the server are errors. An exception of a signature scheme is a warning, because a
 * forged signature may cause it; the stack shows a bug of the scheme.
 */
export declare function logDelivery(log: Pick<Logger, 'info' | 'warn' | 'error'>, observed: Observation): void;
/**
 * Logs the failures of a poll that runs every second. A new error, and the same error after a minute, are logged at level
 * error; a repetition within a minute is logged at debug.
 */
export declare function logOutage(log: Pick<Logger, 'debug' | 'error'>, text: string, 
/** In milliseconds. */
now?: () => number): (error: unknown) => void;
