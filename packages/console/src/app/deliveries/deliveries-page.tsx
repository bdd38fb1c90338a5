import { useMemo, useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { LiveSwitch } from '../ui/live-switch.tsx'
import { Empty } from '../ui/notice.tsx'
import { useList } from '../ui/use-list.ts'
import { useStream } from '../ui/use-stream.ts'
import { BodySearch } from './body-search.tsx'
import { BulkReplay } from './bulk-replay.tsx'
import { deliveryFilterNames, deliveryFilters } from './delivery-filters.ts'
import { DeliveryTable, type Delivery } from './delivery-table.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FirstDelivery } from './first-delivery.tsx'
import { SavedFilters } from './saved-filters.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useFilters, type Filters } from './use-filters.ts'

const names = [...deliveryFilterNames, 'live']

/** The list of deliveries with its filters. */
export function DeliveriesPage() {
  const { has, accepts } = useFeatures()
  const may = useOperator()?.may('replay') === true
  const [{ live, ...values }, setValues] = useFilters(names)
  const filters = useMemo(
    () => deliveryFilters.filter(({ name }) => accepts('listDeliveries', name)),
    [accepts],
  )
  const isLive = live !== undefined && has('streamDeliveries')
  const stream = useStream<Delivery>(
    isLive ? `/deliveries/stream?${new URLSearchParams(values).toString()}` : undefined,
    'delivery',
  )
  return (
    <>
      <PageHeader
        title="Deliveries"
        tabTitle="Deliveries"
        lead="Verified requests of services, newest first."
      >
        {has('streamDeliveries') && (
          <LiveSwitch
            isOn={isLive}
            state={stream.state}
            onChange={(isOn) => {
              setValues({ live: isOn ? '1' : '' })
            }}
          />
        )}
        <SavedFilters />
        {has('replayDeliveries') && may && <BulkReplay filters={values} label="Replay all that match" />}
      </PageHeader>
      <FilterBar filters={filters} values={values} onChange={setValues} />
      {values.text !== undefined && values.text.length >= 3 && has('searchDeliveries') && (
        <BodySearch key={values.text} text={values.text} />
      )}
      {isLive ? <LiveDeliveries deliveries={stream.items} /> : <StoredDeliveries filters={values} />}
    </>
  )
}

function StoredDeliveries({ filters }: { readonly filters: Filters }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const isFiltered = Object.keys(filters).length > 0
  const list = useList({
    key: ['deliveries', filters],
    load: (cursor, signal) =>
      unwrap(
        api.GET('/deliveries', { params: { query: { limit: 50, cursor, ...filters } as never }, signal }),
      ),
    refreshMs: 10_000,
  })
  const empty = isFiltered ? <Empty title="No delivery matches the filters." /> : <FirstDelivery />
  return (
    <ListFrame
      list={list}
      empty={empty}
      end={isFiltered ? 'These are all deliveries that match.' : 'These are all deliveries.'}
    >
      <SelectionBar
        selected={selected}
        onClear={() => {
          setSelected(new Set())
        }}
      />
      <DeliveryTable deliveries={list.items} selected={selected} onSelect={setSelected} />
    </ListFrame>
  )
}

function LiveDeliveries({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  if (deliveries.length === 0) return <Empty title="Waiting for deliveries…" />
  return (
    <>
      <SelectionBar
        selected={selected}
        onClear={() => {
          setSelected(new Set())
        }}
      />
      <DeliveryTable deliveries={deliveries} selected={selected} onSelect={setSelected} />
    </>
  )
}
