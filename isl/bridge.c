#include "bridge.h"

void free_objects(struct object *objects, size_t count)
{
	for (size_t i = count; i-- > 0;) {
		void *p = objects[i].pointer;
		switch ((enum object_kind) objects[i].kind) {
		case OBJECT_BASIC_SET: isl_basic_set_free(p); break;
		case OBJECT_SET: isl_set_free(p); break;
		case OBJECT_UNION_SET: isl_union_set_free(p); break;
		case OBJECT_BASIC_MAP: isl_basic_map_free(p); break;
		case OBJECT_MAP: isl_map_free(p); break;
		case OBJECT_UNION_MAP: isl_union_map_free(p); break;
		case OBJECT_SCHEDULE: isl_schedule_free(p); break;
		case OBJECT_SCHEDULE_NODE: isl_schedule_node_free(p); break;
		case OBJECT_AST_BUILD: isl_ast_build_free(p); break;
		case OBJECT_AST_NODE: isl_ast_node_free(p); break;
		case OBJECT_AST_EXPR: isl_ast_expr_free(p); break;
		case OBJECT_PW_AFF: isl_pw_aff_free(p); break;
		}
	}
}

int take_integer(isl_val *value, int64_t *result)
{
	int ok = value && isl_val_is_int(value) == isl_bool_true &&
		isl_val_cmp_si(value, INT64_MAX) <= 0 && isl_val_cmp_si(value, INT64_MIN) >= 0;

	if (ok)
		*result = isl_val_get_num_si(value);
	isl_val_free(value);
	return ok ? 0 : -1;
}

int take_matrix(isl_mat *matrix, int64_t *values)
{
	int rows = isl_mat_rows(matrix), columns = isl_mat_cols(matrix), failed = 0;

	for (int i = 0; i < rows && !failed; i++)
		for (int j = 0; j < columns && !failed; j++)
			failed = take_integer(isl_mat_get_element_val(matrix, i, j), values++);
	isl_mat_free(matrix);
	return failed;
}

isl_mat *make_matrix(isl_ctx *ctx, int rows, int columns, const int64_t *values)
{
	isl_mat *matrix = isl_mat_alloc(ctx, rows, columns);

	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++)
			matrix = isl_mat_set_element_val(matrix, i, j, isl_val_int_from_si(ctx, *values++));
	return matrix;
}

int take_point(isl_set *set, int dimensions, int64_t *values)
{
	isl_point *point = isl_set_sample_point(set);
	int failed = !point || isl_point_is_void(point) != isl_bool_false;

	for (int i = 0; i < dimensions && !failed; i++)
		failed = take_integer(isl_point_get_coordinate_val(point, isl_dim_set, i), values++);
	isl_point_free(point);
	return failed;
}

/* The points found so far. */
struct points {
	int dimensions;
	long count, limit;
	int64_t *values;
};

/* Appends one point; takes it. */
static isl_stat append_point(isl_point *point, void *user)
{
	struct points *points = user;
	int failed = points->count >= points->limit;
	int64_t *values = NULL;

	if (!failed) {
		size_t size = (points->count + 1) * (points->dimensions + 1) * sizeof(*values);

		/* Memory doubles: only when the count is a power of two. */
		if ((points->count & (points->count - 1)) == 0)
			points->values = realloc(points->values, 2 * size);
		values = points->values ? points->values + points->count++ * points->dimensions : NULL;
		failed = !values;
	}
	for (int i = 0; i < points->dimensions && !failed; i++)
		failed = take_integer(isl_point_get_coordinate_val(point, isl_dim_set, i), values++);
	isl_point_free(point);
	return failed ? isl_stat_error : isl_stat_ok;
}

long take_points(isl_set *set, long limit, int64_t **values)
{
	struct points points = { .dimensions = isl_set_dim(set, isl_dim_set), .limit = limit };
	isl_stat status = isl_set_foreach_point(set, append_point, &points);

	isl_set_free(set);
	*values = points.values;
	return status == isl_stat_ok ? points.count : -1;
}

/* Appends one piece; takes both. */
static isl_stat append_piece(isl_set *domain, isl_multi_aff *values, void *user)
{
	struct piece **next = user;

	(*next)->domain = domain;
	(*next)->values = isl_multi_aff_to_str(values);
	++*next;
	isl_multi_aff_free(values);
	return isl_stat_ok;
}

int take_pieces(isl_pw_multi_aff *function, struct piece *pieces)
{
	return isl_pw_multi_aff_foreach_piece(function, &append_piece, &pieces) < 0 ? -1 : 0;
}
