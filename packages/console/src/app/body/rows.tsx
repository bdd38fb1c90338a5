import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode } from 'react'

const rowHeight = 21

/** Lines of equal height, of which only the visible ones are in the document. */
export function Rows({
  count,
  label,
  scrollTo,
  children,
}: {
  readonly count: number
  readonly label: string
  /** The line to scroll to when it changes. */
  readonly scrollTo?: number | undefined
  readonly children: (index: number) => ReactNode
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  useEffect(() => {
    if (scrollTo !== undefined) virtualizer.scrollToIndex(scrollTo, { align: 'center' })
  }, [scrollTo, virtualizer])
  return (
    <div ref={scroller} className="rows" role="region" aria-label={label} tabIndex={0}>
      <div className="rows-all" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <div key={index} className="row" style={{ transform: `translateY(${start}px)` }}>
            {children(index)}
          </div>
        ))}
      </div>
    </div>
  )
}
