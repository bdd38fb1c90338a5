/** Formats a host and a port for a URL, with brackets around an IPv6 address. */
export declare function formatAuthority(host: string, port: number): string;
