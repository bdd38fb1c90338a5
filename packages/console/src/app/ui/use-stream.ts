import { useEffect, useState } from 'react'
import { apiAddress } from '../api/client.ts'

/** Older items leave the page, so that hours of live items need no more memory. */
const maxItems = 300
const renderMs = 250

/** The newest items of a stream first, and the state of its connection. */
export interface LiveItems<Item> {
  readonly items: readonly Item[]
  readonly state: 'connecting' | 'live' | 'interrupted'
}

/**
 * Follows a stream of Server-Sent Events. The browser connects again by itself and continues after the last item.
 *
 * @param path the path of the stream below the API with its query; undefined for none
 */
export function useStream<Item>(path: string | undefined, event: 'delivery' | 'event'): LiveItems<Item> {
  const [live, setLive] = useState<LiveItems<Item>>({ items: [], state: 'connecting' })
  useEffect(() => {
    setLive({ items: [], state: 'connecting' })
    if (path === undefined) return undefined
    const source = new EventSource(apiAddress + path)
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
    source.addEventListener('open', () => {
      setState('live')
    })
    source.addEventListener('error', () => {
      setState('interrupted')
    })
    source.addEventListener(event, ({ data }: MessageEvent<string>) => {
      waiting.push(JSON.parse(data) as Item)
      if (waiting.length > maxItems) waiting.shift()
    })
    const timer = setInterval(flush, renderMs)
    return () => {
      clearInterval(timer)
      source.close()
    }
  }, [path, event])
  return live
}
