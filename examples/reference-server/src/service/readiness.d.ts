/** A service that the server needs. */
export interface Dependency {
    readonly name: string;
    /** Rejects when the dependency does not answer. */
    readonly ping: () => Promise<unknown>;
    /** Whether the last real operation failed: a full disk answers a ping. @default never */
    readonly isFailing?: () => boolean;
    /** Whether the server is ready without the dependency. @default false */
    readonly isOptional?: boolean;
}
export interface Readiness {
    readonly ready: boolean;
    /** By the name of the dependency. */
    readonly dependencies: Readonly<Record<string, 'ok' | 'unavailable'>>;
}
/** Pings every dependency, with a timeout of two seconds. */
export declare function checkReadiness(dependencies: readonly Dependency[]): Promise<Readiness>;
/** Remembers whether the last operation on a dependency failed. */
export interface LastOutcome {
    /** Awaits an operation and remembers its outcome. */
    readonly track: <T>(operation: Promise<T>, judge: Judge<T>) => Promise<T>;
    /** Whether the last outcome is a failure, and not older than the window. */
    readonly isFailing: () => boolean;
}
/** Decides what an operation says about its dependency; undefined for nothing. */
export interface Judge<T> {
    readonly resolved: (value: T) => 'ok' | 'failed' | undefined;
    readonly rejected: (error: unknown) => 'failed' | undefined;
}
/**
 * Tracks the outcome of the last operation for `windowMs` milliseconds. A failure ends with the next success, or with the
 * window: a process that is taken out of rotation gets no operation that could succeed.
 */
export declare function createLastOutcome(windowMs: number, now?: () => number): LastOutcome;
