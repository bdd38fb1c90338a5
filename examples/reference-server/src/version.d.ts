/** The version of this server. */
export declare const version: string;
