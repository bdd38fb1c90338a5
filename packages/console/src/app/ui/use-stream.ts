import { useEffect, useState } from 'react'
import { apiAddress } from '../api/client.ts'
import { followStream } from '../api/follow-stream.ts'
import { useSession } from '../session/session.tsx'

/** Older items leave the page, so that hours of live items need no more memory. */
const maxItems = 300
const renderMs = 250

/** The newest items of a stream first, and the state of its connection. */
export interface LiveItems<Item> {
  readonly items: readonly Item[]
  readonly state: 'connecting' | 'live' | 'interrupted'
}

/**
 * Follows a stream of Server-Sent Events, and continues it after the last item when it is interrupted.
 *
 * @param path the path of the stream below the API with its query; undefined for none
 */
export function useStream<Item>(path: string | undefined, event: 'delivery' | 'event'): LiveItems<Item> {
  const { setSignedOut } = useSession()
  const [live, setLive] = useState<LiveItems<Item>>({ items: [], state: 'connecting' })
  useEffect(() => {
    setLive({ items: [], state: 'connecting' })
    if (path === undefined) return undefined
    const ending = new AbortController()
    let waiting: Item[] = []
    const setState = (state: LiveItems<Item>['state']) => {
      setLive((current) => ({ ...current, state }))
    }
    const flush = () => {
      if (waiting.length === 0) return
      const arrived = waiting.reverse()
      waiting = []
      setLive((current) => ({ ...current, items: [...arrived, ...current.items].slice(0, maxItems) }))
    }
    void followStream(apiAddress + path, {
      signal: ending.signal,
      onOpen() {
        setState('live')
      },
      onInterruption() {
        setState('interrupted')
      },
      onItem(name, data) {
        if (name !== event) return
        waiting.push(JSON.parse(data) as Item)
        if (waiting.length > maxItems) waiting.shift()
      },
      onSignedOut() {
        setSignedOut(true)
      },
    })
    const timer = setInterval(flush, renderMs)
    return () => {
      clearInterval(timer)
      ending.abort()
    }
  }, [path, event, setSignedOut])
  return live
}
