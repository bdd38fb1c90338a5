import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { formatCount } from './format.ts'

/** The first items of a list, and a button that shows as many more. */
export function ShowMore<Item>({
  items,
  step,
  children,
}: {
  readonly items: readonly Item[]
  readonly step: number
  readonly children: (shown: readonly Item[]) => ReactNode
}) {
  const [shown, setShown] = useState(step)
  return (
    <>
      {children(items.slice(0, shown))}
      {items.length > shown && (
        <div className="list-foot">
          <Button
            onPress={() => {
              setShown(shown + step)
            }}
          >
            Show {formatCount(Math.min(step, items.length - shown))} more of {formatCount(items.length)}
          </Button>
        </div>
      )}
    </>
  )
}
