import type { FailureLimiter, Publisher, Queue } from '@sallyport/webhooks';
import { z } from 'zod';
/** A bus or a shared queue outside of the database. */
export interface Engine<Opened> {
    /** An example of an address, for error messages. */
    readonly form: string;
    /** Reports whether an address is valid for the engine. The URL has only the first host of the address. */
    readonly accepts: (url: URL) => boolean;
    /** Whether an address may have several hosts of one cluster, separated by commas. @default false */
    readonly hasSeveralHosts?: boolean;
    /**
     * Loads the driver and opens the engine, which connects in the background. While the engine is unavailable, events wait
     * in the inbox.
     */
    readonly open: (url: string, context: EngineContext) => Promise<Opened>;
}
export interface OpenedEngine {
    /** Counts failures for all replicas, if the engine supports it. */
    readonly limiter?: FailureLimiter;
    /** Rejects with the reason when it does not answer. */
    readonly ping: () => Promise<unknown>;
    /** Waits for running operations, then closes. */
    readonly close: () => Promise<void>;
}
/** The options and callbacks for an engine. */
export interface EngineContext {
    /** The timeout of one batch, in whole milliseconds: shorter than the timeout of the dispatcher. */
    readonly timeoutMs: number;
    /** The maximum size of an event in bytes, if it is not the default of the engine. */
    readonly limit: {
        readonly eventBytes?: number;
    };
    /** The timeout of `close`, in whole milliseconds. */
    readonly closeTimeoutMs: number;
    /** Called once when the engine becomes unavailable; the message of the error contains no secret. */
    readonly onUnavailable: (error: unknown) => void;
    readonly onAvailable: () => void;
    /** Called for a queue item that is not an event and was removed. */
    readonly onUnreadable: (error: unknown) => void;
}
export type BusEngine = Engine<OpenedEngine & {
    readonly publisher: Publisher;
}>;
export type QueueEngine = Engine<OpenedEngine & {
    readonly queue: Queue;
}>;
/** The message for an address whose user, password or path cannot be decoded. */
export declare const undecodable = "has a % without two hexadecimal digits: write % as %25";
/** Reports whether parts of an address are percent-encoded correctly; a driver would fail or send them undecoded. */
export declare function isDecodable(...texts: readonly string[]): boolean;
/** The parts of an address. Each host has its port, if the address has one. An address such as `sns:…` has no host. */
interface EngineAddress {
    /** The URL with the first host only. */
    readonly url: URL;
    readonly hosts: readonly string[];
}
/**
 * Creates the schema for the address of one of these engines. No message quotes the address, which may contain a password
 * or a key.
 */
export declare function engineUrl(engines: Readonly<Record<string, Engine<unknown>>>): z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
/** @throws TypeError for text that {@link engineUrl} did not accept */
export declare function readEngineAddress(text: string): EngineAddress;
/** Formats the scheme and the hosts of an address, without credentials. An address without a host has no credentials. */
export declare function formatEngineOrigin(text: string): string;
/** Parses the http or https address in an address such as `inngest+https://…`. */
export declare function parseHttpAddress(address: string): URL | undefined;
export {};
