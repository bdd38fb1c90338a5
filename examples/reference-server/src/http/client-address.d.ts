import type { IncomingMessage } from 'node:http';
/** Reports whether the address at a hop is a trusted proxy. */
export type TrustProxy = (address: string, hop: number) => boolean;
/** Parses a number of proxies, or a comma-separated list of addresses, ranges and names of ranges; undefined if invalid. */
export declare function compileTrust(text: string): TrustProxy | undefined;
/** Reports whether a proxy on this machine, such as a tunnel, sends client addresses that are not used. */
export declare function hidesClients(request: IncomingMessage): boolean;
/** Returns the client's address: of the socket, or the nearest untrusted address in X-Forwarded-For. */
export declare function clientAddress(request: IncomingMessage, trust: TrustProxy | undefined): string | undefined;
