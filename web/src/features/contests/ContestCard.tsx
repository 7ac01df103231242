import { useState } from 'react'
import type { Contest } from '#/api/types'
import { useSite } from '#/features/site/site'
import { systemClock } from '#/lib/time'
import { Card, type CardProps } from '#/ui/Card'
import { Picture } from '#/ui/Picture'
import styles from './ContestCard.module.css'
import { stageOf, timeLeft } from './stage'

interface Props extends Pick<CardProps, 'look' | 'heading' | 'action'> {
  contest: Contest
  isFirst?: boolean
}

/** A contest with its prize and the time left to enter. */
export function ContestCard({ contest, isFirst = false, ...rest }: Props) {
  const site = useSite()
  const [now] = useState(() => systemClock.now())
  const left = timeLeft(contest, now, site.timezone)
  const isOpen = stageOf(contest, now) === 'open'
  return (
    <Card
      name={contest.name}
      href={contest.share_url}
      picture={<ContestPicture contest={contest} isFirst={isFirst} />}
      deck={contest.excerpt}
      hasWholeDeck
      meta={<span className={isOpen ? styles.left : undefined}>{left}</span>}
      {...rest}
    />
  )
}

export function ContestPicture({
  contest,
  isFirst = false,
}: {
  contest: Contest
  isFirst?: boolean
}) {
  return (
    <Picture id={contest.id} name={contest.name} source={contest.image_url} isFirst={isFirst} />
  )
}
