// Memory of isl's numbers. Nearly all are of one or two machine words, and there are millions: in
// a transformation a fifth of the processor time went to malloc and free of them. Each thread has
// lists of free cells; a thread that has many gives them to all, for the next one that has none.
#include <gmp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	CELL = 16,      // the bytes by which sizes of cells differ, and of the smallest
	SIZES = 4,      // how many sizes of cells there are
	BATCH = 1024,   // how many cells lists hand over
};

struct cell {
	struct cell *next;
	struct cell *batch; // of the first cell of a batch: the next batch
};

struct list {
	struct cell *first;
	struct cell *batch; // as many more as BATCH, nil for none
	int count;
};

static __thread struct list mine[SIZES];
static struct cell *common[SIZES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *need(void *p)
{
	if (!p) {
		fputs("tune: no memory is left for isl's numbers\n", stderr);
		abort();
	}
	return p;
}

// fresh is a batch of cells that nobody has used.
static struct cell *fresh(int size)
{
	size_t bytes = (size_t)(size + 1) * CELL;
	char *block = need(malloc(BATCH * bytes));
	for (int i = 0; i < BATCH; i++)
		((struct cell *)(block + i * bytes))->next = i + 1 < BATCH ? (struct cell *)(block + (i + 1) * bytes) : NULL;
	return (struct cell *)block;
}

// fill gives a thread's empty list a batch.
static void fill(struct list *list, int size)
{
	list->count = BATCH;
	if ((list->first = list->batch)) {
		list->batch = NULL;
		return;
	}
	pthread_mutex_lock(&lock);
	if ((list->first = common[size]))
		common[size] = list->first->batch;
	pthread_mutex_unlock(&lock);
	if (!list->first)
		list->first = fresh(size);
}

// put_away makes the cells of a full list its batch, and gives all the one that it had.
static void put_away(struct list *list, int size)
{
	struct cell *batch = list->batch;
	list->batch = list->first;
	list->first = NULL;
	list->count = 0;
	if (!batch)
		return;
	pthread_mutex_lock(&lock);
	batch->batch = common[size];
	common[size] = batch;
	pthread_mutex_unlock(&lock);
}

static inline int size_of(size_t bytes) { return (int)((bytes - 1) / CELL); }

static inline int has_cell(size_t bytes) { return bytes - 1 < SIZES * CELL; }

static void *take(size_t bytes)
{
	if (!has_cell(bytes))
		return need(malloc(bytes));
	int size = size_of(bytes);
	struct list *list = &mine[size];
	if (!list->first)
		fill(list, size);
	struct cell *cell = list->first;
	list->first = cell->next;
	list->count--;
	return cell;
}

static void give(void *p, size_t bytes)
{
	if (!has_cell(bytes)) {
		free(p);
		return;
	}
	int size = size_of(bytes);
	struct list *list = &mine[size];
	if (list->count >= BATCH)
		put_away(list, size);
	struct cell *cell = p;
	cell->next = list->first;
	list->first = cell;
	list->count++;
}

static void *change(void *p, size_t old, size_t bytes)
{
	if (has_cell(old) && has_cell(bytes) && size_of(old) == size_of(bytes))
		return p;
	if (!has_cell(old) && !has_cell(bytes))
		return need(realloc(p, bytes));
	void *q = take(bytes);
	__builtin_memcpy(q, p, old < bytes ? old : bytes);
	give(p, old);
	return q;
}

__attribute__((constructor)) static void set_memory(void)
{
	mp_set_memory_functions(take, change, give);
}
