/** Completes the path of an endpoint by the origin of the page, for a server without a public address in its settings. */
export const toPublicAddress = (url: string): string => new URL(url, location.origin).href
