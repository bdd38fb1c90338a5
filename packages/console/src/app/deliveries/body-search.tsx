import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { formatCount } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { SelectionBar } from './selection-bar.tsx'

/** Finds deliveries by a text in their bodies, a bounded number at a time. */
export function BodySearch({ text }: { readonly text: string }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const search = useMutation({
    mutationFn: (cursor: string) => unwrap(api.POST('/searches', { body: { body: text, cursor } })),
    onSuccess: () => {
      setSelected(new Set())
    },
  })
  const result = search.data?.data
  const next = result?.next ?? null
  return (
    <section className="card stack" aria-label="Search in bodies">
      <div>
        <Button
          isDisabled={search.isPending}
          onPress={() => {
            search.mutate('')
          }}
        >
          Search the bodies for “<Untrusted text={text} limit={40} />”
        </Button>
      </div>
      {search.isError && <Notice tone="bad">{search.error.message}</Notice>}
      {result && (
        <p role="status">
          Found {formatCount(result.deliveries.length)} in {formatCount(result.searched)} deliveries
          {result.reached_at !== null && next !== null && (
            <>
              , down to <Time value={result.reached_at} />
            </>
          )}
          .
        </p>
      )}
      {result && result.deliveries.length > 0 && (
        <>
          <SelectionBar
            selected={selected}
            onClear={() => {
              setSelected(new Set())
            }}
          />
          <DeliveryTable deliveries={result.deliveries} selected={selected} onSelect={setSelected} />
        </>
      )}
      {next !== null && (
        <div>
          <Button
            isDisabled={search.isPending}
            onPress={() => {
              search.mutate(next)
            }}
          >
            Search older deliveries
          </Button>
        </div>
      )}
    </section>
  )
}
