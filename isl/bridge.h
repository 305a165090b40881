/* What the Go side of the binding needs in C: one call to free an arena, and
 * whole matrices moved in one call. */
#ifndef POLYTUNE_ISL_BRIDGE_H
#define POLYTUNE_ISL_BRIDGE_H

#include <stdlib.h>
#include <isl/aff.h>
#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/ilp.h>
#include <isl/map.h>
#include <isl/mat.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/printer.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <isl/version.h>

enum object_kind {
	OBJECT_BASIC_SET,
	OBJECT_SET,
	OBJECT_UNION_SET,
	OBJECT_BASIC_MAP,
	OBJECT_MAP,
	OBJECT_UNION_MAP,
	OBJECT_SCHEDULE,
	OBJECT_SCHEDULE_NODE,
	OBJECT_AST_BUILD,
	OBJECT_AST_NODE,
	OBJECT_AST_EXPR,
	OBJECT_PW_AFF,
};

/* An object and its kind, as the arena keeps it. */
struct object {
	int kind;
	void *pointer;
};

void free_objects(struct object *objects, size_t count);

/* The entries of "matrix" in row order, in "values". Returns 0, or -1 when
 * an entry does not fit in 64 bits. Takes "matrix". */
int take_matrix(isl_mat *matrix, int64_t *values);

/* A matrix of "rows" x "columns" with the given entries in row order. */
isl_mat *make_matrix(isl_ctx *ctx, int rows, int columns, const int64_t *values);

/* The coordinates of the only point of "set", in "values". Returns 0, or -1
 * when there is no point or a coordinate does not fit. Takes "set". */
int take_point(isl_set *set, int dimensions, int64_t *values);

/* All points of "set", which has no parameters, one after the other in memory
 * that the caller frees. Returns how many there are, or -1 when isl fails, a
 * coordinate does not fit, or there are more than "limit". Takes "set". */
long take_points(isl_set *set, long limit, int64_t **values);

/* A piece of a function: its domain, and its values as text. */
struct piece {
	isl_set *domain;
	char *values;
};

/* The pieces of "function", in the array "pieces", which has room for all. Returns 0, or -1 when isl
 * fails. */
int take_pieces(isl_pw_multi_aff *function, struct piece *pieces);

/* The value in 64 bits, in "result". Returns 0 when it is an integer that
 * fits, otherwise -1. Takes "value". */
int take_integer(isl_val *value, int64_t *result);

#endif
