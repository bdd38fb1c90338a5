import { z } from 'zod';
import { type TrustProxy } from '../http/client-address.ts';
/** The tasks of a process; processes with different roles on one database share the work. */
export declare const roles: readonly ['api', 'gateway', 'dispatcher', 'drainer'];
export type Role = (typeof roles)[number];
export declare const text: (form?: string) => z.ZodString;
export declare const integer: (minimum: number, maximum: number) => z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>;
export declare const bytesIn: {
    b: number;
    kb: number;
    mb: number;
    gb: number;
};
export declare const size: z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>;
export declare const share: z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>;
export declare const flag: z.ZodPipe<z.ZodEnum<{
    0: "0";
    1: "1";
    false: "false";
    true: "true";
}>, z.ZodTransform<boolean, "0" | "1" | "false" | "true">>;
export declare const choice: <const Values extends readonly string[]>(values: Values) => z.ZodEnum<{ [k in Values[number]]: k; } extends infer T ? { [k in keyof T]: T[k]; } : never>;
export declare const list: z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>;
export declare const role: z.ZodPipe<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>, z.ZodTransform<ReadonlySet<"api" | "dispatcher" | "drainer" | "gateway">, string[]>>;
export declare const trustProxy: z.ZodPipe<z.ZodString, z.ZodTransform<TrustProxy, string>>;
/** An IP address or a host name to listen on. */
export declare const listenAddress: z.ZodString;
export declare const origin: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
/** The origins of browsers that CORS allows. */
export declare const origins: z.ZodPipe<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>, z.ZodTransform<"*" | readonly string[], string[]>>;
/** Addresses of chats, such as `slack+https://hooks.slack.com/…`. No problem contains an address, because it is a secret. */
export declare const chatAddresses: z.ZodPipe<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>, z.ZodTransform<{
    service: "discord" | "slack" | "teams";
    url: string;
}[], string[]>>;
/** The prefix of every URL. A query or a fragment would invalidate signatures over the URL. */
export declare const publicOrigin: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
export declare const httpAddress: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
/** Returned as it was read, because drivers parse the URL themselves. */
export declare const postgresUrl: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
