import { SallyportError } from '@sallyport/errors';
/** Another transaction has changed the row: thrown for `retryOnContention`. */
export declare class VersionConflict extends Error {
    readonly name = "VersionConflict";
}
export interface ContentionOptions {
    /** A number from 0 up to 1, for the jitter of pauses. @default Math.random */
    readonly random?: () => number;
    /** Waits for a number of milliseconds. */
    readonly pause?: (forMs: number) => Promise<unknown>;
}
/**
 * Runs a transaction or a statement, and retries it after a version conflict, a deadlock or a serialization failure. It must
 * have no effect outside of the database.
 * @throws SallyportError 503 `SERVICE_UNAVAILABLE` after too many retries or a lock timeout
 */
export declare function retryOnContention<T>(act: () => Promise<T>, options?: ContentionOptions): Promise<T>;
/** Creates the error for a change that lost to concurrent changes. */
export declare function createContentionError(cause?: unknown): SallyportError;
/** Converts a temporary error of the database to 503 `SERVICE_UNAVAILABLE`; returns other errors unchanged. */
export declare function toRetryable(error: unknown): unknown;
