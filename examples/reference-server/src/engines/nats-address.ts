/** Names of streams that are no trouble in a file system, in a subject or in an address. */
const streamPath = /^\/?$|^\/([A-Za-z0-9_-]{1,200})$/

/** `nats://host:4222[/STREAM]`. */
export function isNatsAddress({ hostname, pathname, search, hash }: URL): boolean {
  return hostname !== '' && streamPath.test(pathname) && search === '' && hash === ''
}

/** The stream that an address names. */
export function streamOf(url: string): string {
  return streamPath.exec(new URL(url).pathname)?.[1] ?? 'SALLYPORT'
}
