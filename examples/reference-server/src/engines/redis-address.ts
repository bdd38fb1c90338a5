/** Names that are no trouble in a key, in BullMQ or in an address. */
const plainName = /^[A-Za-z0-9_-]{1,200}$/

/** `redis://host:6379[/DB][?name=NAME]`. */
export function isRedisAddress({ hostname, pathname, search, searchParams, hash }: URL): boolean {
  const isNamed = search === '' || (searchParams.size === 1 && plainName.test(searchParams.get('name') ?? ''))
  return hostname !== '' && /^\/?\d{0,9}$/.test(pathname) && isNamed && hash === ''
}

/** What the names of all keys begin with: servers that share a Redis and nothing else have names of their own. */
export function nameOf(url: string): string {
  return new URL(url).searchParams.get('name') ?? 'sallyport'
}
