import { CardSkeletons } from '#/ui/CardSkeleton'
import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'
import styles from './Diary.module.css'

const DAYS = [1, 2, 3]
const OF_A_DAY = [1, 2, 3, 4]

/** Reserves the space of events by day while they load. */
export function DiarySkeleton() {
  return (
    <Placeholder what="events">
      {DAYS.map((day) => (
        <div key={day} className={styles.day}>
          <div className={styles.heading}>
            <Skeleton width="8rem" height="1lh" />
          </div>
          <ul className={styles.events}>
            {OF_A_DAY.map((event) => (
              <li key={event}>
                <CardSkeletons
                  count={1}
                  look="line"
                  ratio="3.5 / 1"
                  nameLines={1}
                  deckLines={1}
                  hasMeta
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Placeholder>
  )
}
