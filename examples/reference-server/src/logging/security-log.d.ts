import { type ApiEvent } from '@sallyport/rest';
import type { Caller, RequestContext } from '../http/context.ts';
import type { Logger } from './log.ts';
/** The stable names of security events. */
export type SecurityEvent = 'access.denied' | 'access.limited' | 'invitation.created' | 'invitation.deleted' | 'login.failed' | 'login.succeeded' | 'logout.succeeded' | 'refresh.failed' | 'refresh.replayed' | 'user.changed';
interface SecurityDetails {
    readonly userId?: string | undefined;
    readonly sessionId?: string | undefined;
    /** The API key of the request. */
    readonly keyId?: string | undefined;
    /** The user that the request concerns, if it is not the caller, or the invitation. */
    readonly targetId?: string | undefined;
    readonly changed?: readonly string[];
}
/** A cause of an error 401 or 403 with details for the security log. The client does not see it. */
export declare class RefusalCause extends Error {
    readonly name = "RefusalCause";
    readonly details: SecurityDetails & {
        readonly event?: SecurityEvent;
    };
    constructor(details: RefusalCause['details']);
}
/** Logs requests of the REST API that concern security, one line per request. No line has a token, an e-mail or a body. */
export interface SecurityLog {
    /** Logs a successful request. */
    readonly logSuccess: (event: SecurityEvent, context: RequestContext, request: {
        readonly route: string;
        readonly status: number;
    } & SecurityDetails) => void;
    /** Logs a refused request (401, 403, 429), and every request with `logsAccess`. For `onResponse` of `createApi`. */
    readonly logResponse: (response: ApiEvent<Caller>) => void;
}
export declare function createSecurityLog({ log, logsAccess, now, }: {
    readonly log: Pick<Logger, 'info'>;
    /** Whether every request has an additional line. */
    readonly logsAccess: boolean;
    /** A monotonic time in milliseconds. @default performance.now */
    readonly now?: () => number;
}): SecurityLog;
export {};
